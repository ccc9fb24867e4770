/**
 * The few variables of our environment that a program of the project starts with. They are the path of programs, and
 * the cache of compiled code (see global-setup.ts).
 */
export function inheritedEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  // An empty value would name the working directory.
  return { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
}
