import type { ReportData } from '#features/duty/calls/report-in.ts'

type Report = ReportData['data']

/** Type and description, or 'NO EVENT'. */
export function eventText({ event, active_event }: Report): string {
  if (!event || !active_event) return 'NO EVENT'
  return event.description ? `${event.type} - ${event.description}` : event.type
}

/** One line per site, 'Site - Building A, Building B'. */
export function locationLines({ locations }: Report): string[] {
  if (locations.length === 0) return ['Not Applicable']
  return locations.map(({ site, building }) => (building.length ? `${site} - ${building.join(', ')}` : site))
}

/** 'NA' if the warden has no areas. */
export const areaText = ({ area }: Report): string => area.locations.map(({ name }) => name).join(', ') || 'NA'

/** 'My Areas (Floor)'. */
export const withDomain = (label: string, { area }: Report): string =>
  area.domain ? `${label} (${area.domain})` : label

/** An error code as the title of its popup. */
export const errorTitle = (error: string): string => error.replaceAll('_', ' ')
