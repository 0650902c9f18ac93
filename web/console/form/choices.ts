/** Countries whose mobile numbers need no country code. */
export const countries = [
  { value: 'AU', label: 'Australia' },
  { value: 'NZ', label: 'New Zealand' },
  { value: 'US', label: 'United States' },
  { value: 'UK', label: 'United Kingdom' },
]

/** The browser does not list every zone that there is, such as UTC. */
export const zonesWith = (zone: string) =>
  [...new Set([zone, ...Intl.supportedValuesOf('timeZone')])]
    .sort()
    .map((value) => ({ value, label: value.replaceAll('_', ' ') }))
