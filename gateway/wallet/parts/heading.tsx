import { useEffect, useRef } from 'react'

/** The heading of a screen. It takes the focus, so that a reader begins there. */
export function Heading({
  children,
  lead,
  isHidden = false,
}: {
  children: string
  lead?: string
  /** For readers alone, where the screen shows what it is. */
  isHidden?: boolean
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  return (
    <header className={isHidden ? 'unseen' : 'heading'}>
      <h1 ref={heading} tabIndex={-1}>
        {children}
      </h1>
      {lead && <p>{lead}</p>}
    </header>
  )
}
