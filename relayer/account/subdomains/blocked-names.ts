import { DataSet, englishDataset, englishRecommendedTransformers, pattern, RegExpMatcher } from 'obscenity'

const words = new DataSet<{ originalWord: string }>()
  .addAll(englishDataset)
  .addPhrase((phrase) => phrase.setMetadata({ originalWord: 'nazi' }).addPattern(pattern`nazi`))
  .addPhrase((phrase) => phrase.setMetadata({ originalWord: 'hitler' }).addPattern(pattern`hitler`))

/** Detects offensive words through leetspeak and repeated letters. */
const matcher = new RegExpMatcher({ ...words.build(), ...englishRecommendedTransformers })

/** Creates a check that is true for a reserved or offensive normalized name, even if hyphens split the word. */
export function createNameBlock(reserved: readonly string[]): (name: string) => boolean {
  const kept = new Set(reserved.map(withoutHyphens))
  return (name) =>
    kept.has(withoutHyphens(name)) || matcher.hasMatch(name) || matcher.hasMatch(withoutHyphens(name))
}

function withoutHyphens(name: string): string {
  return name.replaceAll('-', '')
}
