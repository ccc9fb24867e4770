/**
 * Bundles the packages of an installation that consist of hundreds of modules; their own files stay.
 * @param modules Its node_modules.
 * @returns What could not be done and why; such a package is loaded as it came.
 */
export function bundlePackages(modules: string): Promise<string[]>
