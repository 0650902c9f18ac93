import { curveChart } from './chart.ts'
import { type Pages, table, text } from './pdf-parts.ts'

/** Pages with everything that a record can have on them. `names` stand in a table. */
export const pagesWith = (names: readonly string[]): Pages => ({
  title: 'DRILL: Record 14, Fire at Harbour Campus',
  host: 'evac.example',
  kind: 'drill',
  kindWord: 'DRILL',
  recordWord: 'Record 14',
  headline: 'Harbour Campus, 23 November 2026',
  heading: 'Fire at Harbour Campus',
  subtitle: '23 November 2026, 10:04:11 to 10:19:30. Times: Sydney, UTC+11:00.',
  result: '2 not accounted for',
  trouble: null,
  standing: ['Not signed yet'],
  foot: 'Log head 1000 q3VxAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  sections: [
    {
      title: 'Summary',
      parts: [
        {
          kind: 'list',
          items: ['It began at 10:04.', 'No one #eval("1") *bold* $x$ </script> =cmd [a] \\'].map((one) => ({
            text: one,
            below: ['Corrected by Kim Lee, 14 November 2026: 10:05.'],
          })),
        },
      ],
    },
    {
      title: 'People',
      parts: [
        text('Refused to leave: 1.'),
        curveChart({
          seconds: 919,
          people: {
            curve: {
              step_seconds: 10,
              steps: Array.from({ length: 92 }, (_, at): [number, number, number] => [
                at * 4,
                400 - at * 4 - (at % 5),
                at % 5,
              ]),
            },
          },
        } as never) ?? text('–'),
      ],
    },
    {
      title: 'Names',
      parts: [
        table(
          ['Name', 'Place'],
          ['1', '1'],
          names.map((name) => [name, 'Tower A - Ground']),
        ),
      ],
    },
  ],
})
