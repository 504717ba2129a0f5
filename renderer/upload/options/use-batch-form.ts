import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { albumNamed, allAlbums } from '#api/albums/find-album.ts';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import { toSlug } from '#api/images/slug-rules.ts';
import type { FormFields } from '#api/images/upload.ts';
import { albumsQuery } from '#renderer/albums/albums.ts';
import { useSlugCheck } from '#renderer/images/use-slug-check.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { setPreferences, usePreferences } from '#renderer/preferences/preferences.ts';
import { profileQuery } from '#renderer/service/account.ts';
import { client } from '#renderer/service/client.ts';
import { desktopQuery } from '#renderer/service/desktop.ts';
import { limitsQuery } from '#renderer/service/queries.ts';
import { firstOptions, NEW_ALBUM, type Options, toFields, toRemember } from './options.ts';
import { rememberedFields } from './remembered-fields.ts';

/** A form with the options of a batch of some pictures. Its fields start with those remembered, and the album of the page. */
export function useBatchForm({ user, target, count }: { user: number | undefined; target: string | undefined; count: number }) {
  const { uploadOptions, askOptions } = usePreferences();
  const { data: profile } = useQuery(profileQuery);
  const [changes, setChanges] = useState<Partial<Options>>({});
  const [remember, setRemember] = useState(false);
  const [ask, setAsk] = useState(askOptions);
  const { data: limits } = useQuery(limitsQuery);
  const usualFormat = useUsualFormat();
  const first = firstOptions(rememberedFields(uploadOptions, user), target, profile?.preferences, usualFormat);
  const options = { ...first, ...changes };
  // Several pictures can't have the same address.
  if (count > 1 && !options.slugOr) options.slugOr = 'number';
  if (limits?.allow_convert === false) options.convert = 'original';
  const slug = toSlug(options.slug);
  const { problem } = useSlugCheck(slug, { enabled: slug !== '' });
  const addressProblem = problem === 'taken' && options.slugOr ? undefined : problem;
  /** Keeps what the user has ticked, before the uploads begin. */
  const keep = (albumIds: readonly string[]) => {
    setPreferences({
      askOptions: ask,
      ...(remember && user !== undefined && { uploadOptions: { user, fields: toRemember(toFields(options, albumIds)) } }),
    });
  };
  return {
    options,
    addressProblem,
    edit: (change: Partial<Options>) => setChanges((before) => ({ ...before, ...change })),
    changed: Object.keys(changes).length > 0,
    remember,
    setRemember,
    ask,
    setAsk,
    keep,
  };
}

/** The format of uploads from this computer's app. */
function useUsualFormat() {
  const bridge = desktopBridge();
  return useQuery({ ...desktopQuery(bridge as DesktopBridge), enabled: bridge !== undefined }).data?.convert;
}

/** Resolves the albums of the options and those of folders, creating missing ones. */
export function useResolveAlbums(start: (groups: { title: string | undefined; fields: FormFields }[]) => Promise<void>) {
  const queryClient = useQueryClient();
  return useMutation({
    async mutationFn({ options, titles, keep }: { options: Options; titles: readonly (string | undefined)[]; keep: KeepOptions }) {
      // A fresh list: an album of an attempt that failed halfway must not be created twice.
      const albums = titles.some(Boolean) || options.albums.includes(NEW_ALBUM) ? await allAlbums(client) : [];
      const idOf = async (name: string) => {
        const known = albumNamed(albums, name);
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
