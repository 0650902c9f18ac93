import { type Attendance, attendances } from '#kernel/vocabulary.ts'
import { attendanceLabel } from '#kernel/words.ts'

/** The attendance for the word in a list, in any letter case. */
export const attendanceOf = (word: string): Attendance =>
  attendances.find((key) => attendanceLabel[key].toLowerCase() === word.toLowerCase()) ?? 'unknown'
