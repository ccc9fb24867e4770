import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import GithubSlugger, { slug } from 'github-slugger'
import type { OpenApi } from '../../schema/openapi/build-openapi.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Documents of the sidebar: the title of the group, and the file from the project's folder. */
export const DOCUMENTS = {
  README: 'README.md',
  PROTOCOL: 'PROTOCOL.md',
  'The wallet': 'gateway/wallet/SCREENS.md',
  OPERATING: 'OPERATING.md',
  Settings: 'gateway/config/SETTINGS.md',
  'Single features': 'gateway/config/FEATURES.md',
  Metrics: 'gateway/observation/METRICS.md',
  Alarms: 'gateway/observation/ALARMS.md',
  SECURITY: 'SECURITY.md',
  CHANGELOG: 'CHANGELOG.md',
}

/** Pictures of the documents, which are served below `/docs/pictures/`; the names are unique. */
export const PICTURES = 'gateway/wallet/pictures'

/** A part of a document that starts at a heading of the first or second level. */
interface Section {
  /** Unique name of the tag that shows this section. */
  tag: string
  title: string
  text: string
  /** Anchors of its headings, as GitHub makes them. */
  anchors: string[]
}

interface Chapter {
  title: string
  file: string
  sections: Section[]
}

/**
 * The document that `/docs` shows: the API's OpenAPI document, with the guide and the Markdown documents as further
 * tags. A document that this installation does not contain is left out.
 */
export async function buildReferenceDocument(api: OpenApi): Promise<object> {
  const { description } = api.info
  const guideStart = description.indexOf('\n## ')
  const texts = await Promise.all(
    Object.entries(DOCUMENTS)
      .filter(([, file]) => existsSync(join(ROOT, file)))
      .map(async ([title, file]) => ({ title, file, text: await readFile(join(ROOT, file), 'utf8') })),
  )
  const guide = { title: 'Guide', file: '', text: description.slice(guideStart + 1) }
  const chapters = [guide, ...texts].map(({ title, file, text }) => ({
    title,
    file,
    sections: splitSections(title, text),
  }))
  return {
    ...api,
    info: {
      ...api.info,
      description: `${description.slice(0, guideStart)}\n\nFor code generators: [/openapi.json](/openapi.json).`,
    },
    tags: [
      ...api.tags,
      ...chapters.flatMap(({ file, sections }) =>
        sections.map(({ tag, title, text }) => ({
          name: tag,
          'x-displayName': title,
          description: mendLinks(text, file, chapters),
        })),
      ),
    ],
    'x-tagGroups': [
      { name: 'Operations', tags: api.tags.map(({ name }) => name) },
      ...chapters.map(({ title, sections }) => ({ name: title, tags: sections.map(({ tag }) => tag) })),
    ],
  }
}

/** Code, which stays as it is, and headings. */
const CODE_OR_HEADING = /^```[^]*?^```|^(#{1,6}) (.+)$/gm

function splitSections(chapter: string, text: string): Section[] {
  const slugger = new GithubSlugger()
  const sections: (Section & { start: number })[] = []
  for (const { index, 0: line, 1: marks, 2: heading } of text.matchAll(CODE_OR_HEADING)) {
    if (!marks || !heading) continue
    const title = heading.replaceAll('`', '')
    if (marks.length <= 2) {
      const last = sections.at(-1)
      if (last) last.text = text.slice(last.start, index)
      const start = index + line.length
      sections.push({ tag: `${chapter}: ${title}`, title, anchors: [], start, text: text.slice(start) })
    }
    sections.at(-1)?.anchors.push(slugger.slug(title))
  }
  return sections
}

/** Code of any kind, a diagram, a picture, the definition of a link, or a link. */
const CODE_OR_LINK =
  /^```(?<language>\w*)[^]*?^```|`[^`\n]+`|!\[(?<picture>[^\]]*)\]\((?<image>[^)]*)\)|^\[(?<name>[^\]]+)\]: (?<place>\S+)(?<about>.*)$|\[(?<label>(?:`[^`]*`|[^\]`])*)\]\((?<target>[^)\s]+)\)/gm

/**
 * Points the links between documents at their sections here. Links to other files become text, because the service
 * serves no other files. Pictures of other folders than {@link PICTURES} become their description.
 */
function mendLinks(text: string, file: string, chapters: readonly Chapter[]): string {
  return text.replaceAll(CODE_OR_LINK, (whole, ...rest) => {
    const found = rest.at(-1) as Record<string, string | undefined>
    if (found['language'] === 'mermaid') return `*The diagram is in ${file}.*`
    if (found['picture']) {
      const image = posix.join(dirname(file), found['image'] ?? '')
      return dirname(image) === PICTURES
        ? `![${found['picture']}](/docs/pictures/${posix.basename(image)})`
        : `*${found['picture']}.*`
    }
    if (found['name']) return `- **[${found['name']}]** \`${found['place']}\`${found['about']}`
    const { label, target } = found
    if (label === undefined || !target || /^(?:[a-z]+:|\/)/.test(target)) return whole
    const [path = '', anchor = ''] = target.split('#')
    const aim = path ? posix.join(dirname(file), path) : file
    const sections = chapters.find((chapter) => chapter.file === aim)?.sections
    const section = sections?.find(({ anchors }) => anchors.includes(anchor)) ?? sections?.[0]
    if (section) return `[${label}](#tag/${slug(section.tag)})`
    return label.replaceAll('`', '') === posix.basename(aim) ? `\`${aim}\`` : `${label} (\`${aim}\`)`
  })
}
