import type { FormHTMLAttributes } from 'react'

/** A form that the page handles and checks by itself. */
export function Form({
  className = 'stack',
  onSubmit,
  ...form
}: Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> & { onSubmit: () => void | Promise<unknown> }) {
  return (
    <form
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit()
      }}
      {...form}
    />
  )
}
