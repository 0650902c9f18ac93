-- When a message in the app was texted as well, because nobody had opened it. A version that does not know the
-- column leaves it null, and the worker of a version that knows it texts the message.
alter table message add column texted_at timestamptz;
create index message_unopened on message (written_at)
  where kind = 'warden' and direction = 'out' and read_at is null and texted_at is null;
