import { describe, expect, it } from 'vitest'
import { createNameBlock } from '../../../../relayer/account/subdomains/create-subdomains.ts'
import { normalizeSubdomain } from '../../../../relayer/account/subdomains/normalize-subdomain.ts'
import { suggestNames } from '../../../../relayer/account/subdomains/create-subdomains.ts'

describe('a name', () => {
  it.each([
    ['alice', 'alice'],
    ['Alice', 'alice'],
    ['a-1', 'a-1'],
    ['007', '007'],
    ['a'.repeat(32), 'a'.repeat(32)],
    ['full width', 'ａｌｉｃｅ', 'alice'],
    ['circled', 'ⓐlice', 'alice'],
    ['a ligature', 'ﬁnn', 'finn'],
    ['a zero-width space', 'al\u200bice', 'alice'],
    ['a soft hyphen', 'al\u00adice', 'alice'],
    ['a Kelvin sign', '\u212aate', 'kate'],
    ['a typographic hyphen', 'a‐b', 'a-b'],
  ])('%s is taken as %s %s', (...row) => {
    expect(normalizeSubdomain(row.at(-2)!)).toBe(row.at(-1))
  })

  it.each([
    ['two characters', 'al'],
    ['33 characters', 'a'.repeat(33)],
    ['nothing', ''],
    ['a Cyrillic a', '\u0430lice'],
    ['all of Cyrillic', '\u0430\u0441\u0435'],
    ['a Greek omicron', 'b\u03bfb'],
    ['a joiner', 'al\u200dice'],
    ['a non-joiner', 'al\u200cice'],
    ['a right-to-left mark', 'al\u200fice'],
    ['punycode', 'xn--alice-123'],
    ['hyphens at the third place', 'ab--cd'],
    ['a hyphen in front', '-alice'],
    ['a hyphen behind', 'alice-'],
    ['an underscore', '_alice'],
    ['a dot', 'alice.bob'],
    ['a full-width dot', 'alice．bob'],
    ['a space', 'al ice'],
    ['a line feed', 'alice\n'],
    ['a null', 'alice\0'],
    ['an accent', 'alic\u00e9'],
    ['a combining accent', 'alice\u0301'],
    ['a dotted capital I', 'al\u0130ce'],
    ['an emoji', 'alice👍'],
    ['Arabic digits', '٠٠٧'],
    ['a lone surrogate', 'alice\ud800'],
    ['very much', 'a'.repeat(100_000)],
  ])('is refused for %s', (_, text) => {
    expect(normalizeSubdomain(text)).toBeNull()
  })

  it('normalizes to itself when it is normal', () => {
    for (const text of ['ａｌｉｃｅ', 'Alice', 'ⓐ‐ⓑ', '\u212aate']) {
      const name = normalizeSubdomain(text)
      expect(normalizeSubdomain(name!)).toBe(name)
    }
  })
})

describe('the list of blocked names', () => {
  const isBlocked = createNameBlock(['admin', 'log-in'])

  it.each([
    'fuck',
    'fuckyou',
    'fuuuck',
    'f-u-c-k',
    'sh1t',
    '5hit',
    'n1gg3r',
    'c0ck',
    'nazi',
    'h1tler',
    'admin',
  ])('contains %s', (name) => expect(isBlocked(name)).toBe(true))
  it.each(['ad-min', 'login', 'l-o-g-i-n'])(
    'contains %s, since hyphens do not avoid reserved names',
    (name) => expect(isBlocked(name)).toBe(true),
  )
  it.each(['alice', 'scunthorpe', 'essex', 'grape', 'therapist', 'class', 'peacock', 'administer'])(
    'does not contain %s',
    (name) => expect(isBlocked(name)).toBe(false),
  )
})

it('suggested names are valid names', () => {
  const isBlocked = createNameBlock([])
  const suggested = [...suggestNames(300, false), ...suggestNames(300, true)]
  expect(suggested.filter((name) => normalizeSubdomain(name) !== name)).toEqual([])
  expect(suggested.filter(isBlocked).length).toBeLessThan(60)
  expect(new Set(suggested).size).toBeGreaterThan(590)
})
