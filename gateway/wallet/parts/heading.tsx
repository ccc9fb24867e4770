import { useEffect, useRef } from 'react'

/** The heading of a screen. It takes the focus, so that a reader begins there. */
export function Heading({ children, lead }: { children: string; lead?: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  return (
    <header className="heading">
      <h1 ref={heading} tabIndex={-1}>
        {children}
      </h1>
      {lead && <p>{lead}</p>}
    </header>
  )
}
