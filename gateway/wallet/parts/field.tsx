import { useId, type ReactNode, type InputHTMLAttributes } from 'react'

/** A labelled input with its hint and its error. */
export function Field({
  label,
  hint,
  error,
  after,
  ...input
}: {
  label: string
  hint?: string
  error?: string | null
  after?: ReactNode
} & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  const isWrong = Boolean(error)
  const named = [hint && `${id}-hint`, isWrong && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="input">
        <input
          id={id}
          aria-invalid={isWrong}
          {...(named && { 'aria-describedby': named })}
          autoComplete="off"
          spellCheck={false}
          {...input}
        />
        {after}
      </div>
      {hint && !isWrong && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {isWrong && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

/** A labelled choice of a JSON file on the device. */
export function FileField({
  label,
  error,
  onFile,
}: {
  label: string
  error: string | null
  onFile: (file: File | null) => void
}) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept="application/json,.json"
        aria-invalid={error !== null}
        {...(error !== null && { 'aria-describedby': `${id}-error` })}
        onChange={(event) => onFile(event.target.files?.[0] ?? null)}
      />
      {error !== null && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

/** A labelled choice. */
export function Choice<Value extends string | number>({
  label,
  value,
  options,
  onChoose,
}: {
  label: string
  value: Value
  options: readonly { value: Value; text: string }[]
  onChoose: (value: Value) => void
}) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => String(option.value) === event.target.value)
          if (chosen) onChoose(chosen.value)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  )
}
