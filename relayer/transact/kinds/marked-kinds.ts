/** Kinds whose calls an operator may mark as this service's (`transact.attribution`); never a plain send. */
export const MARKED_KINDS = ['swap'] as const
