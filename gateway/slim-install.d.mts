/** Whether no running service reads a file; `path` is within node_modules, with slashes. */
export function isIdle(path: string): boolean
/** Removes from an installation what no running service reads. */
export function slimInstall(modules: string): void
