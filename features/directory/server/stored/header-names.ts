/** Columns whose name in the files differs from the database. */
const headers: Record<string, string> = {
  primaryFloorUid: 'floor',
  visitingBuildingUid: 'floor',
  siteUid: 'site',
  buildingUid: 'building',
  roleUid: 'role',
  personUid: 'person',
  storageKey: 'file',
  defaultKind: 'kind',
}
export const headerOf = (column: string) =>
  headers[column] ?? column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
