import { useInfiniteQuery } from '@tanstack/react-query'
import type { InstructionUid } from '#kernel/ids.ts'
import { MessageLink } from '#web/evacuees/message-link.tsx'
import { PhoneLink } from '#web/evacuees/phone-link.tsx'
import { useAuth } from '#web/session/stored-auth.ts'
import { Button } from '#web/ui/button.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import { notYetQuery } from './instructions.data.ts'

/** Who has not understood yet, with the ways to reach them. */
export function NotYetList({ uid }: { uid: InstructionUid }) {
  const read = useInfiniteQuery(notYetQuery(uid))
  const canMessage = useAuth()?.module_access.Module_Warden_Messaging
  return (
    <WhenRead read={read} parts={['line']}>
      {({ pages }) => (
        <>
          <ul aria-label="Not yet" className="grid grid-cols-1 gap-2">
            {pages
              .flatMap(({ not_yet }) => not_yet)
              .map(({ wardenSignInUid, id, name, areas, phone, texted }) => (
                <li key={wardenSignInUid} className="flex items-center gap-2 border-t border-hairline pt-2">
                  <div className="min-w-0 flex-1">
                    <p className="leading-snug font-bold">{name}</p>
                    <p className="text-sm text-muted">
                      {areas.join(', ')}
                      {texted && '. Text sent'}
                    </p>
                  </div>
                  {canMessage && (
                    <MessageLink to={`/message/warden/${id}`} from="/event/instructions" name={name} unread={false} />
                  )}
                  <PhoneLink name={name} phone={phone} />
                </li>
              ))}
          </ul>
          {read.hasNextPage && (
            <Button variant="outline" busy={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
              Show more
            </Button>
          )}
        </>
      )}
    </WhenRead>
  )
}
