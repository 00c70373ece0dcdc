#!/bin/sh
# Brings a .git with hooks and settings that run commands as soon as git looks at the folder.
# from: solutions
# lab: lab1
# expect: lab1 full

mkdir -p .git/hooks .git/objects .git/refs/heads .git/info
printf 'ref: refs/heads/main\n' > .git/HEAD
cat > .git/config << 'GIT'
[core]
	repositoryformatversion = 0
	bare = false
	fsmonitor = "touch /tmp/opencl-labs-hostile-extra-git; false"
	hooksPath = .git/hooks
	pager = touch /tmp/opencl-labs-hostile-extra-git
	editor = touch /tmp/opencl-labs-hostile-extra-git
	sshCommand = touch /tmp/opencl-labs-hostile-extra-git
	worktree = ../..
[diff]
	external = touch /tmp/opencl-labs-hostile-extra-git
[filter "hostile"]
	clean = touch /tmp/opencl-labs-hostile-extra-git
	smudge = touch /tmp/opencl-labs-hostile-extra-git
[alias]
	status = !touch /tmp/opencl-labs-hostile-extra-git
[include]
	path = /etc/passwd
GIT
for hook in post-checkout pre-commit post-merge fsmonitor-watchman post-index-change reference-transaction; do
    printf '#!/bin/sh\ntouch /tmp/opencl-labs-hostile-extra-git\n' > ".git/hooks/$hook"
    chmod +x ".git/hooks/$hook"
done
printf '* filter=hostile\n' > .gitattributes
printf '[submodule "x"]\n\tpath = labs\n\turl = ext::sh -c touch%%20/tmp/opencl-labs-hostile-extra-git\n' > .gitmodules
