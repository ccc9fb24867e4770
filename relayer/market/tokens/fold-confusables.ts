/**
 * Letters of other scripts, and digits, that look like Latin ones. They are the single letters of Unicode TR 39 that
 * matter for symbols.
 */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['a', 'аɑα'],
    ['b', 'ЬвβВΒ'],
    ['c', 'сϲСϹ'],
    ['d', 'ԁ'],
    ['e', 'еєεЕΕ'],
    ['g', 'ɡԍ'],
    ['h', 'һнНΗ'],
    ['i', 'іιıІΙ1l|!ӏӀ'],
    ['j', 'јЈϳ'],
    ['k', 'κкКΚ'],
    ['m', 'мМΜ'],
    ['n', 'ոΝп'],
    ['o', 'оοОΟ0օσ'],
    ['p', 'рρРΡ'],
    ['q', 'ԛ'],
    ['r', 'гᴦ'],
    ['s', 'ѕЅ5$'],
    ['t', 'тτТΤ'],
    ['u', 'υսᴜ'],
    ['v', 'νѵᴠ'],
    ['w', 'ԝωѡᴡ'],
    ['x', 'хχХΧ'],
    ['y', 'уүУΥγ'],
    ['z', 'ᴢΖ'],
  ].flatMap(([latin, others]) => Array.from(others ?? '', (other) => [other, latin ?? ''])),
)

/** Returns the skeleton of a text: texts that people confuse have the same one. */
export function foldConfusables(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '')
  const folded = Array.from(
    plain,
    (char) => LOOKALIKES[char] ?? LOOKALIKES[char.toLowerCase()] ?? char.toLowerCase(),
  )
  return folded.join('').replace(/[^\p{L}\p{N}]/gu, '')
}

/** True if one word mixes letters of scripts that look alike. */
export function mixesScripts(text: string): boolean {
  return text.split(/[^\p{L}]+/u).some((word) => {
    const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]
    return scripts.filter((script) => script.test(word)).length > 1
  })
}
