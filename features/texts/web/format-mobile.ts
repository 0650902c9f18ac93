/** Country code apart, the rest in groups that are easy to compare: '+61 491 000 004'. */
export function formatMobile(mobile: string): string {
  const [, code = '', rest = mobile] = /^(1|44|61|64)(\d+)$/.exec(mobile) ?? []
  return `+${code} ${rest.replace(/(\d{3})(?=\d{3})/g, '$1 ')}`.replace('+ ', '+')
}
