/** RFC 9110, 12.5.3: `gzip` or `*`, unless its weight is zero. */
export function takesGzip(accepted: string | string[] | undefined): boolean {
  const codings = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.replaceAll(/\s/g, '').split(';'))
  const named = codings.find(([name]) => name === 'gzip') ?? codings.find(([name]) => name === '*')
  return named !== undefined && !/^q=0(?:\.0*)?$/.test(named[1] ?? '')
}
