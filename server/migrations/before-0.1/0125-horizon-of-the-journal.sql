-- Below this id no transaction is open that may still write into this journal. Snapshots are of the whole server: a
-- transaction of another of its databases is left out, whether it works, idles or was prepared. One that ended between
-- snapshot and look counts as ours, so the horizon may fall for a moment. Without an entry to hold back the look is not made.
create function journal_horizon() returns xid8 language sql stable as $$
  select case
    when not exists (select from journal where xid >= pg_snapshot_xmin(pg_current_snapshot()))
      then pg_snapshot_xmin(pg_current_snapshot())
    else (
      select coalesce(min(open.xid), pg_snapshot_xmax(pg_current_snapshot()))
      from pg_snapshot_xip(pg_current_snapshot()) as open (xid)
      where not exists (select from pg_stat_activity a where a.backend_xid = open.xid::xid and a.datname <> current_database())
        and not exists (select from pg_prepared_xacts p where p.transaction = open.xid::xid and p.database <> current_database()))
  end
$$;
