/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Insert = Html | string | number | bigint | null | readonly Insert[]

/** Builds HTML. Inserted values are escaped unless they are {@link Html}; lists are joined, null inserts nothing. */
export function html(strings: TemplateStringsArray, ...inserts: Insert[]): Html {
  return new Html(strings.reduce((text, part, index) => text + render(inserts[index - 1] ?? null) + part))
}

function render(insert: Insert): string {
  if (insert === null) return ''
  if (insert instanceof Html) return insert.text
  if (typeof insert === 'object') return insert.map(render).join('')
  return String(insert).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
