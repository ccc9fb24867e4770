/** Browsers with Trusted Types let no plain text name a script. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string }
}

/** Scripts that the page may run beside itself: files of its own build. */
const OWN = /^\/wallet\/(?:assets\/[\w-]+\.js|service-worker\.js)$/

const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('wallet', {
  createScriptURL(url) {
    if (!OWN.test(url)) throw new TypeError(`the wallet runs no ${url}`)
    return url
  },
})

/** The URL of a worker's file, as the page's policy wants it. */
export const trustScript = (url: string): string => policy?.createScriptURL(url) ?? url
