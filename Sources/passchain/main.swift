internal import Glibc
internal import PassCommands
internal import Unix

let environment = Dispatch.prepareProcess()
exit(Dispatch.run(Process.arguments(), environment, currentFolder: Process.currentFolder() ?? Path([])))
