import { type Attendance, attendanceLabel } from '@evac/contract/vocabulary.ts'

const attendances = Object.keys(attendanceLabel) as Attendance[]

/** The attendance for the word in a list, in any letter case (AMB-066). */
export const attendanceOf = (word: string): Attendance =>
  attendances.find((key) => attendanceLabel[key].toLowerCase() === word.toLowerCase()) ?? 'unknown'
