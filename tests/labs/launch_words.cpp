#include "launch_words.hpp"

#include "wire/messages.hpp"

namespace launch_words {

std::string describe(const grader::WrongWord& wrong, const Description& words) {
    const std::string launch = wrong.kernel + " (launch " + std::to_string(wrong.launch) + ") ";
    const std::string right = ", but " + words.meaning + " is " + words.right;
    if (wire::is_filling(wrong.after))
        return launch + "writes nothing to " + words.place + right +
               ": does any work-item store there?";
    if (wrong.after == wrong.before)
        return launch + "leaves " + words.place + " as it was, " + words.before + right +
               ": does any work-item store there? If so, it stores the old value again";
    return launch + "leaves " + words.after + " in " + words.place + right +
           "; the other kernels are right";
}

} // namespace launch_words
