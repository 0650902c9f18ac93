-- While an organisation moves to another installation it is read, and nothing of it is written: what is written after its copy has
-- begun would be lost. Every change writes an entry of the journal, so the journal refuses it. An event that starts ends the move.
alter table client
  -- renewed while the move goes on: a move whose process was killed ends by itself
  add column moving_until timestamptz,
  add column moving_by uuid,
  add constraint client_moving_check check ((moving_until is null) = (moving_by is null));

create function refuse_while_moving() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  home record;
begin
  -- shared by all who write. The move takes it alone, and so waits for those who began before it
  perform pg_advisory_xact_lock_shared(hashtextextended('moving ' || new.client_uid, 0));
  select moving_until > clock_timestamp() as is_moving, moved_to is not null as has_moved into home
    from client where uid = new.client_uid;
  -- someone who was let in just before it left. Housekeeping goes on
  if home.has_moved and new.actor_person_uid is not null then
    raise exception 'The organisation has moved' using errcode = 'EVMOV';
  end if;
  if home.is_moving then
    if not exists (select from event where client_uid = new.client_uid and uid = new.event_uid and ended_at is null) then
      raise exception 'The organisation is moving' using errcode = 'EVMOV';
    end if;
    update client set moving_until = null, moving_by = null where uid = new.client_uid;
  end if;
  return new;
end $$;
revoke all on function refuse_while_moving() from public;

-- Records of a running event are many, and no move goes on beside one. Sessions stay behind: people go on signing in, to start an event.
-- What housekeeping erases here, it erases there as well. What an operator does about an organisation is not lost with it.
create trigger journal_while_moving before insert on journal for each row
  when (new.action not in ('evacuee_status_set', 'evacuee_refusal_set', 'floor_status_set', 'messages_read', 'evacuee_messages_read',
      'unread_changed', 'signed_in', 'session_ended', 'console_signed_in', 'console_signed_out', 'lines_erased')
    and new.action not like 'organisation\_%')
  execute function refuse_while_moving();
