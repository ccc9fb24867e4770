import { useEffect, useState } from 'react'
import { TEXTS } from '../texts.ts'
import { Icon } from './icon.tsx'

const SHOWN_MS = 2_000

/** Copies a text, and says that it did. */
export function CopyButton({
  text,
  children,
  kind = 'quiet',
}: {
  text: string
  children: string
  kind?: 'quiet' | 'main'
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true))
  return (
    <button type="button" className={`button ${kind}`} onClick={copy}>
      <Icon name={isCopied ? 'done' : 'copy'} size={18} />
      <span aria-live="polite">{isCopied ? TEXTS.copied : children}</span>
    </button>
  )
}
