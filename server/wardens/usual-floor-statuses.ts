/** The floor statuses with which an organisation begins, in their order. Without one that means clear no floor could be cleared. */
export const usualFloorStatuses = [
  { code: 'NOT_STARTED', name: 'Not Started', colour: 'grey', meansClear: false },
  { code: 'EVACUATING', name: 'Evacuating', colour: 'yellow', meansClear: false },
  { code: 'EVACUATED', name: 'Evacuated', colour: 'green', meansClear: true },
  { code: 'ASSISTANCE', name: 'Assistance Required', colour: 'red', meansClear: false },
].map((status, index) => ({ ...status, displayOrder: index + 1 }))
