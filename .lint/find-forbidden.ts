/**
 * The folders and files of one folder, lowest layer first. An import may go to a lower entry. `*` stands for all files
 * that are not named, which may import each other, and `/*` for all folders that are not named, which may not. The members
 * of an inner list may not import each other either.
 */
export type Order = readonly (string | readonly string[])[]

export interface Layers {
  /** By the path of the folder whose children are ordered; '' is the repository. */
  readonly order: Readonly<Record<string, Order>>
  /** Folders that a top folder may import, if these are fewer than all below it. */
  readonly only: Readonly<Record<string, readonly string[]>>
}

/** Says why `importer` may not import `imported` (paths from the root, with `/`), or null when it may. */
export function findForbidden(layers: Layers, importer: string, imported: string): string | null {
  const from = importer.split('/')
  const to = imported.split('/')
  let depth = 0
  while (depth < Math.min(from.length, to.length) - 1 && from[depth] === to[depth]) depth += 1
  const [lower, upper] = [to[depth] ?? '', from[depth] ?? '']
  const isFile = { lower: depth === to.length - 1, upper: depth === from.length - 1 }
  const folder = from.slice(0, depth).join('/')
  if (lower === upper || (isFile.lower && isFile.upper && !layers.order[folder])) return null

  const order = layers.order[folder]
  const home = `.lint/layers.json, "${folder}"`
  if (!order) return `Declare the order of the folders of ${folder}/ in .lint/layers.json, lowest first.`
  const low = placeOf(order, lower, isFile.lower)
  const high = placeOf(order, upper, isFile.upper)
  if (low === null) return `Declare the place of ${lower} in ${home}.`
  if (high === null) return `Declare the place of ${upper} in ${home}.`
  const only = folder === '' ? layers.only[upper] : undefined
  if (only && !only.includes(lower)) return `${upper} may import only ${only.join(', ')} (${home}, "only").`
  if (low < high || (low === high && order[low] === '*')) return null
  if (low === high) return `${upper} and ${lower} may not import each other (${home}).`
  return `${lower} is above ${upper} (${home}): move what both need into the lower one, or have it passed in.`
}

/** The index of a child's layer; null when it is not declared. */
function placeOf(order: Order, child: string, isFile: boolean): number | null {
  const named = order.findIndex((layer) => layer === child || (Array.isArray(layer) && layer.includes(child)))
  const place = named === -1 ? order.indexOf(isFile ? '*' : '/*') : named
  return place === -1 ? null : place
}
