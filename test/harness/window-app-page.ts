// The page of an app in tests whose wallet is a page of another origin. Each button asks one request; its answer is a line.
import {
  createWindowProvider,
  type WindowProviderOptions,
} from '../../schema/client/provider/window-provider.ts'

/** A button of the page. `$account` in its parameters is the address that the wallet showed. */
export interface AppButton {
  name: string
  method: string
  params: readonly unknown[]
}
/** Parameters in the address of the page. */
export interface AppSettings extends WindowProviderOptions {
  buttons: readonly AppButton[]
}

/** The parts of a page that are used here. */
interface Tag {
  textContent: string
  append(...parts: Tag[]): void
  addEventListener(event: 'click', listener: () => void): void
}
const { document, location } = globalThis as unknown as {
  document: { createElement(tag: 'button' | 'li' | 'ol'): Tag; body: Tag }
  location: { hash: string }
}

const { buttons, ...options } = JSON.parse(decodeURIComponent(location.hash.slice(1))) as AppSettings
const provider = createWindowProvider(options)
const lines = document.createElement('ol')

const show = (name: string, answer: unknown) => {
  const line = document.createElement('li')
  line.textContent = `${name}: ${JSON.stringify(answer)}`
  lines.append(line)
}
provider.on('accountsChanged', (accounts) => show('accountsChanged', accounts))

async function ask({ name, method, params }: AppButton): Promise<void> {
  try {
    const [account = ''] = (await provider.request({ method: 'eth_accounts' })) as string[]
    const asked = JSON.parse(JSON.stringify(params).replaceAll('$account', account)) as unknown[]
    show(name, await provider.request({ method, params: asked }))
  } catch (error) {
    const { code, message } = error as { code?: number; message: string }
    show(name, { code, message })
  }
}

for (const one of buttons) {
  const button = document.createElement('button')
  button.textContent = one.name
  button.addEventListener('click', () => void ask(one))
  document.body.append(button)
}
document.body.append(lines)
