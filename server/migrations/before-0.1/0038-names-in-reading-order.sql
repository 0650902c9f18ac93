-- People are listed as names are read: Åsa stands with the a, Éva with the e.

-- A collation of our own, as its owner may put down that its indexes fit a newer ICU (platform/name-order.ts).
create collation names (provider = icu, locale = 'und');
alter table evacuee alter column sort_name type text collate names;
