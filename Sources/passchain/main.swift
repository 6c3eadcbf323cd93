internal import Glibc
internal import PassCommands
internal import Unix

Dispatch.prepareProcess()
exit(
    Dispatch.run(
        Process.arguments(),
        Environment.ofThisProcess(),
        currentFolder: Process.currentFolder() ?? "/"
    )
)
