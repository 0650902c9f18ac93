-- Lists and searches of the evacuee safety screen, flat at any size of event.

-- A place by status and name: the few in danger are found without walking past everybody else. Everybody begins as unknown:
-- left out, the index costs the start of an event nothing, and whole pages of the unknown are found by name.
create index evacuee_status_page on evacuee (client_uid, event_uid, place_uid, status, sort_name, uid)
  where active and status <> 'unknown';
create index evacuee_visitor on evacuee (client_uid, event_uid, place_uid) where active and visitor;
create index evacuee_refused on evacuee (client_uid, event_uid, place_uid) where active and refused;
create index message_unread on message (client_uid, event_uid, evacuee_uid)
  where evacuee_uid is not null and direction = 'in' and read_at is null;
create index message_last on message (client_uid, event_uid, evacuee_uid, seq desc) include (direction) where evacuee_uid is not null;

-- Any three letters of a name, any three digits of a number. Where the server has not got the extensions (both are part of
-- PostgreSQL and may be created by a database's owner) the same search reads the client's people one by one.
do $$
begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
  create index person_words on person using gin (client_uid, lower(first_name || ' ' || last_name) gin_trgm_ops, mobile gin_trgm_ops);
exception when feature_not_supported or undefined_file or insufficient_privilege or undefined_object then
  raise notice 'searching names without an index: %', sqlerrm;
end $$;

-- Row-level security keeps `like` off an index (it is not leakproof), so the search looks by itself at whose people it may read.
create function people_matching(client uuid, name_pattern text, phone_pattern text) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp rows 100
as $$
begin
  if client = any (string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[]) then
    return query execute
      'select uid from person where client_uid = $1 and (lower(first_name || '' '' || last_name) like $2 or mobile like $3)'
      using client, name_pattern, phone_pattern;
  end if;
end $$;
revoke all on function people_matching from public;
grant execute on function people_matching to evac_app;
