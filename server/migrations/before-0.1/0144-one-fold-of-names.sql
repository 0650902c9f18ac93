-- A name is found however it is spelt: without accents, apostrophes and case, in any order of its words.

-- The same as `nameFold` in kernel/name-fold.ts. Bodies are parsed here, so that they work under any search_path. Names in
-- ASCII, which are most, take the short way.
create function name_fold(name text) returns text language sql immutable parallel safe
return case when name ~ '^[ -~]*$' then
  regexp_replace(btrim(lower(translate(name, '-.,''`', '   ') collate "C"), ' '), ' {2,}', ' ', 'g') collate "default"
else
  regexp_replace(btrim(translate(
    replace(replace(replace(replace(
      lower(regexp_replace(normalize(translate(name, U&'\00B4\1FFD\1FEF', ''), NFKD),
        U&'[\00AD\0300-\036F\0591-\05BD\05BF\05C1\05C2\05C4\05C5\05C7\0610-\061A\064B-\065F\0670\1AB0-\1AFF\1DC0-\1DFF\200B-\200F\202A-\202E\2060-\2064\2066-\2069\20D0-\20FF\FE20-\FE2F\FEFF]',
        '', 'g') collate "und-x-icu"),
      U&'\00DF', 'ss'), U&'\00E6', 'ae'), U&'\0153', 'oe'), U&'\00FE', 'th'),
    U&'\00F8\0142\0111\00F0\0127\0131\03C2-.,\2010\2011\2012\2013\2014\2015\2212''`\2018\2019\201B\02B9\02BB\02BC\02BD\02C8\02CA\02CB\2032',
    U&'olddhi\03C3          '), ' '), ' {2,}', ' ', 'g') collate "default"
end;

-- What a search of names reads: the fold, and for letters with two spellings ('Müller', 'Mueller') the other one behind it.
create function name_search(name text) returns text language sql immutable parallel safe
return case when name ~ '^[ -~]*$' or normalize(name) !~ U&'[\00E4\00F6\00FC\00F8\00E5\00C4\00D6\00DC\00D8\00C5]' then name_fold(name)
else name_fold(name) || ' ' || name_fold(replace(replace(replace(replace(replace(lower(normalize(name) collate "und-x-icu"),
    U&'\00E4', 'ae'), U&'\00F6', 'oe'), U&'\00FC', 'ue'), U&'\00F8', 'oe'), U&'\00E5', 'aa') collate "default")
end;

-- Written once for each row, so no search computes a fold. Rewrites the table: 12 s for 1,000,000 people.
alter table person
  add column folded_name text not null generated always as (name_fold(first_name || ' ' || last_name)) stored,
  add column search_name text not null generated always as (name_search(first_name || ' ' || last_name)) stored;

-- Who has the same name: duplicates, reports, tables with other headings.
create index person_folded_name on person (client_uid, folded_name, primary_floor_uid);
-- drops `person_names`, which nothing reads any more: the former search reads the new column too, see below
do $$
begin
  create index person_search on person using gin (search_name gin_trgm_ops);
  drop index if exists person_names;
exception when undefined_object then
  raise notice 'searching names without an index: %', sqlerrm;
end $$;

-- The name for searches of one or two letters, which read the people of the event. Null: written by the version before.
alter table evacuee add column search_name text;

-- The people whose name fits all patterns ('%smith%', folded; null looks for no name), or whose mobile fits. One of the
-- patterns has three letters in a row. The index reads the list of every three letters of a pattern: five letters of the
-- longest and four of the next leave a few people, who are then compared.
create function people_named(client uuid, patterns text[], phone_pattern text) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp rows 100
as $$
declare
  pieces text[];
begin
  if not coalesce(client = any (string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[]), false) then
    return;
  end if;
  -- all are the same question; fenced, the small one cannot be answered by the index of everybody's letters
  if (select count(*) from (select from person where client_uid = client limit 2001) few) <= 2000 then
    return query
      with own as materialized (
        select uid, search_name, mobile from person where client_uid = client
      )
      select uid from own where search_name like all (patterns) or mobile like phone_pattern;
    return;
  end if;
  select array_agg(piece order by length(piece) desc) into pieces
  from unnest(patterns) pattern, regexp_split_to_table(pattern, '[%_\\]+') piece where length(piece) >= 3;
  if length(pieces[1] || pieces[2]) >= 7 then
    return query execute
      'select uid from person where client_uid = $1
         and (search_name like $4 and search_name like $5 and (search_name like all ($2)) is true or mobile like $3)'
      using client, patterns, phone_pattern, '%' || left(pieces[1], 5) || '%', '%' || left(pieces[2], 4) || '%';
  else
    return query execute
      'select uid from person where client_uid = $1
         and (search_name like $4 and (search_name like all ($2)) is true or mobile like $3)'
      using client, patterns, phone_pattern, '%' || pieces[1] || '%';
  end if;
end $$;
revoke all on function people_named from public;
grant execute on function people_named to evac_app;

-- The search of the version before: one pattern, by letters in a row as they stand.
create or replace function people_matching(client uuid, name_pattern text, phone_pattern text) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp rows 100
as $$ select people_named(client, array['%' || name_fold(trim(both '%' from name_pattern)) || '%'], phone_pattern) $$;
