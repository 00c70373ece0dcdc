#pragma once

#include "report/result.hpp"
#include "report/submission.hpp"
#include "report/version.hpp"

#include <concepts>
#include <type_traits>

/// The fields of each type in a JSON document. A writer and a reader of documents, the archives, both
/// go through these lists.
namespace report {

/// An `Of` to be read or written.
template <class T, class Of> concept Is = std::same_as<std::remove_const_t<T>, Of>;

template <class Archive, Is<wire::Launch> T> void fields(Archive& archive, T& launch) {
    archive.field("kernel", launch.kernel);
    archive.field("global_size", launch.global_size);
    archive.field("work_group_size", launch.work_group_size);
    archive.field("local_memory", launch.local_memory);
    archive.field("nanoseconds", launch.nanoseconds);
}

template <class Archive, Is<Case> T> void fields(Archive& archive, T& one) {
    archive.field("name", one.name);
    archive.field("status", one.status);
    archive.points("score", one.score);
    archive.points("max_score", one.max_score);
    archive.field("message", one.message);
    archive.field("hint", one.hint);
    archive.field("file", one.file);
    archive.field("line", one.line);
    archive.field("seconds", one.seconds);
    archive.field("output", one.output);
    archive.field("launches", one.launches);
    archive.optional("trace", one.trace);
    archive.optional("finding", one.finding);
    archive.optional("follows", one.follows);
    archive.optional("guess", one.guess);
    archive.optional("not_implemented", one.not_implemented);
}

template <class Archive, Is<Timing> T> void fields(Archive& archive, T& timing) {
    archive.field("elements", timing.elements);
    archive.field("nanoseconds", timing.nanoseconds);
    archive.field("wall_nanoseconds", timing.wall_nanoseconds);
    archive.field("bytes_per_second", timing.bytes_per_second);
    archive.field("baseline", timing.baseline);
    archive.field("ratio", timing.ratio);
    archive.field("ratio_low", timing.ratio_low);
    archive.field("ratio_high", timing.ratio_high);
    archive.field("bandwidth_fraction", timing.bandwidth_fraction);
    archive.field("rounds", timing.rounds);
}

template <class Archive, Is<Finding> T> void fields(Archive& archive, T& finding) {
    archive.field("kind", finding.kind);
    archive.field("file", finding.file);
    archive.field("line", finding.line);
    archive.field("message", finding.message);
    archive.optional("other_line", finding.other_line);
}

template <class Archive, Is<wire::WorkCounts> T> void fields(Archive& archive, T& work) {
    for (const wire::WorkCount& count : wire::work_counts)
        archive.field(count.name, work.*count.value);
}

template <class Archive, Is<Source> T> void fields(Archive& archive, T& source) {
    archive.whole(source.text);
}

template <class Archive, Is<Result> T> void fields(Archive& archive, T& result) {
    archive.schema(result_schema);
    archive.field("lab", result.lab);
    archive.field("title", result.title);
    archive.field("seed", result.seed);
    archive.field("device", result.device);
    archive.optional("protection", result.protection);
    archive.optional("reason", result.reason);
    archive.optional("harness_failed", result.harness_failed);
    archive.optional("due", result.due);
    if (!result.due.empty())
        archive.field("seconds_late", result.seconds_late);
    archive.optional("commit", result.revision.commit);
    archive.time_of(result.revision);
    archive.sums(result);
    archive.field("cases", result.cases);
    archive.field("findings", result.findings);
    archive.by_key("work", result.work, &wire::WorkCounts::kernel);
    archive.by_key("timing", result.timings, &Timing::name);
    archive.optional_needs("needs", result.needs);
    archive.optional_by_key("sources", result.sources, &Source::file);
}

template <class Archive, Is<Submission> T> void fields(Archive& archive, T& submission) {
    archive.schema(submission_schema);
    archive.field("student", submission.student);
    archive.field("protection", submission.protection);
    archive.sums(submission);
    archive.field("remarks", submission.remarks);
    archive.field("labs", submission.labs);
}

} // namespace report
