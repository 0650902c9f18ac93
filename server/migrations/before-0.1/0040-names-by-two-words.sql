-- A whole name among a million is found by the beginnings of two of its words.

-- The index of names reads the list of every three letters of a pattern. The lists of letters beside a space are the
-- longest: half of all names have some of them. Five letters of one word and four of another leave a few people, who are
-- then compared with the whole pattern. `is true` keeps the whole pattern away from the index.
create or replace function people_matching(client uuid, name_pattern text, phone_pattern text) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp rows 100
as $$
declare
  words text[];
begin
  if not coalesce(client = any (string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[]), false) then
    return;
  end if;
  -- all are the same question; fenced, the small one cannot be answered by the index of everybody's letters
  if (select count(*) from (select from person where client_uid = client limit 2001) few) <= 2000 then
    return query
      with own as materialized (
        select uid, first_name, last_name, mobile from person where client_uid = client
      )
      select uid from own where lower(first_name || ' ' || last_name) like name_pattern or mobile like phone_pattern;
    return;
  end if;
  select array_agg(word order by length(word) desc) into words
  from regexp_split_to_table(name_pattern, '[^[:alnum:]]+') word where length(word) >= 3;
  if length(words[1] || words[2]) >= 7 then
    return query execute
      'select uid from person where client_uid = $1 and (lower(first_name || '' '' || last_name) like $4
         and lower(first_name || '' '' || last_name) like $5
         and (lower(first_name || '' '' || last_name) like $2) is true or mobile like $3)'
      using client, name_pattern, phone_pattern, '%' || left(words[1], 5) || '%', '%' || left(words[2], 4) || '%';
  else
    return query execute
      'select uid from person where client_uid = $1 and (lower(first_name || '' '' || last_name) like $2 or mobile like $3)'
      using client, name_pattern, phone_pattern;
  end if;
end $$;
