import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { allAlbums } from '#api/albums/find-album.ts';
import type { FormFields } from '#api/images/upload.ts';
import { albumsQuery } from '#renderer/albums/albums.ts';
import { setPreferences, usePreferences } from '#renderer/preferences/preferences.ts';
import { profileQuery } from '#renderer/service/account.ts';
import { client } from '#renderer/service/client.ts';
import { firstOptions, NEW_ALBUM, type Options, toFields, toRemember } from './options.ts';
import { rememberedFields } from './remembered-fields.ts';

/** A form with the options of a batch. Its fields start with those remembered, and the album of the page. */
export function useBatchForm(user: number | undefined, target: string | undefined) {
  const { uploadOptions, askOptions } = usePreferences();
  const { data: profile } = useQuery(profileQuery);
  const [changes, setChanges] = useState<Partial<Options>>({});
  const [remember, setRemember] = useState(false);
  const [ask, setAsk] = useState(askOptions);
  const first = firstOptions(rememberedFields(uploadOptions, user), target, profile?.preferences);
  const options = { ...first, ...changes };
  /** Keeps what the user has ticked, before the uploads begin. */
  const keep = (albumIds: readonly string[]) => {
    setPreferences({
      askOptions: ask,
      ...(remember && user !== undefined && { uploadOptions: { user, fields: toRemember(toFields(options, albumIds)) } }),
    });
  };
  return {
    options,
    edit: (change: Partial<Options>) => setChanges((before) => ({ ...before, ...change })),
    changed: Object.keys(changes).length > 0,
    remember,
    setRemember,
    ask,
    setAsk,
    keep,
  };
}

/** Resolves the albums of the options and those of folders, creating missing ones. */
export function useResolveAlbums(start: (groups: { title: string | undefined; fields: FormFields }[]) => Promise<void>) {
  const queryClient = useQueryClient();
  return useMutation({
    async mutationFn({ options, titles, keep }: { options: Options; titles: readonly (string | undefined)[]; keep: KeepOptions }) {
      // A fresh list: an album of an attempt that failed halfway must not be created twice.
      const albums = titles.some(Boolean) || options.albums.includes(NEW_ALBUM) ? await allAlbums(client) : [];
      const idOf = async (name: string) => {
        const known = albums.find((album) => album.name === name);
        if (known) return known.id;
        const created = await client.call('POST /albums', { body: { name } });
        albums.push(created);
        return created.id;
      };
      const chosen: string[] = [];
      for (const id of options.albums) chosen.push(id === NEW_ALBUM ? await idOf(options.newAlbum.trim()) : id);
      const groups = [];
      for (const title of titles) groups.push({ title, fields: toFields(options, title === undefined ? chosen : [await idOf(title)]) });
      if (albums.length) void queryClient.invalidateQueries({ queryKey: albumsQuery.queryKey });
      keep(chosen);
      await start(groups);
    },
  });
}

type KeepOptions = (albumIds: readonly string[]) => void;
