import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconArrowsShuffle, IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Album } from '#api/albums/albums.ts';
import { mayManage } from '#api/albums/find-album.ts';
import { MAX_EXPIRES_IN } from '#api/constants.ts';
import { useCopy } from '#renderer/components/copying/copy-context.ts';
import { type AskedExpiry, askedExpiry, EXPIRIES, expiryProblem, localTimeIn } from '#renderer/components/forms/expiries.ts';
import { ExpiryField } from '#renderer/components/forms/expiry-field.tsx';
import { isPast } from '#renderer/components/forms/expiry-time.ts';
import { AccessPasswordField, VisibilityField } from '#renderer/components/forms/sharing-fields.tsx';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { Unsaved } from '#renderer/components/forms/unsaved.tsx';
import { showCopied } from '#renderer/components/links/copied-notice.tsx';
import { LinkTools } from '#renderer/components/links/link-tools.tsx';
import { WhoCanOpen } from '#renderer/components/links/who-can-open.tsx';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { load } from '#renderer/service/connection.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { useWhoCanOpen } from '#renderer/service/reach.ts';
import { Members } from './album-members.tsx';
import classes from './album-share.module.css';
import { useChangeAlbum } from './albums.ts';

const Requests = lazy(() => load(() => import('./requests/requests.tsx')).then((module) => ({ default: module.Requests })));

interface Props {
  opened: boolean;
  album: Album;
  onClose: () => void;
}

/** All ways to share an album: its link, its members, and links through which others send pictures. Members who may change none of it see each other. */
export function AlbumShare({ opened, album, onClose }: Props) {
  const { t } = useTranslation();
  const [isCovered, setCovered] = useState(false);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={t(mayManage(album) ? 'albums.shareOne' : 'members.of', { name: album.name })}
      styles={{ inner: { visibility: isCovered ? 'hidden' : undefined } }}
    >
      <Sheet album={album} onCover={setCovered} />
    </Modal>
  );
}

/** @param onCover told whether a dialog is above the sheet */
function Sheet({ album, onCover }: { album: Album; onCover: (isCovered: boolean) => void }) {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const isOwner = album.role === 'owner';
  if (!mayManage(album)) return <Members album={album} />;
  return (
    <div className={classes.sheet}>
      {isOwner && <OwnLink album={album} />}
      <section>
        <h3>{t('members.title')}</h3>
        <Members album={album} />
      </section>
      {config?.request_links_enabled && (
        <section>
          <h3>{t('requests.ask')}</h3>
          <Suspense>
            <Requests album={album} onCover={onCover} />
          </Suspense>
        </section>
      )}
      {isOwner && album.visibility === 'public' && (
        <section>
          <h3>{t('albums.linkOptions')}</h3>
          <Options album={album} />
        </section>
      )}
    </div>
  );
}

/** Returns a function that copies an address of an album and reports it. */
function useCopyAddress() {
  const { t } = useTranslation();
  const copy = useCopy();
  return async (address: string) => {
    if (await copy(address)) showCopied({ title: t('links.copiedLinks', { count: 1 }), message: <WhoCanOpen text={address} /> });
  };
}

/** The album's link, and who can open it. */
function OwnLink({ album }: { album: Album }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const change = useChangeAlbum();
  const copy = useCopyAddress();
  const whoCanOpen = useWhoCanOpen();
  const hidden = album.visibility === 'private';
  const copyLink = () => {
    // Before anything else: on plain http, browsers allow copying only directly after a click.
    void copy(album.share_url);
    if (hidden) change.mutate({ id: album.id, visibility: 'public' });
  };
  return (
    <section>
      <h3>{t('albums.link')}</h3>
      <Stack gap="sm">
        {change.isError && <ErrorNotice explanation={explain(change.error)} />}
        <div className={classes.address}>
          <code className={classes.link}>{album.share_url}</code>
          <Button className={classes.copy} leftSection={<IconLink size={18} />} onClick={copyLink} data-autofocus>
            {t(hidden ? 'albums.openAndCopy' : 'albums.copyLink')}
          </Button>
        </div>
        {/* Of a private album with members, the hint below says it. */}
        {!(hidden && album.member_count > 0) && <WhoCanOpen visibility={album.visibility} text={album.share_url} />}
        {!hidden && <LinkTools url={album.share_url} title={album.name} />}
        <VisibilityField
          label={t('albums.visibility')}
          value={album.visibility}
          onChange={(visibility) => change.mutate({ id: album.id, visibility })}
        >
          <Text size="sm" c="dimmed" mt="xs">
            {t(hidden ? (album.member_count > 0 ? 'albums.privateHint' : 'albums.privateHintAlone') : 'albums.publicHint', {
              who: whoCanOpen('public'),
            })}
          </Text>
        </VisibilityField>
      </Stack>
    </section>
  );
}

/** What the album's link asks for and offers. */
function Options({ album }: { album: Album }) {
  const { t } = useTranslation();
  const change = useChangeAlbum();
  const copy = useCopyAddress();
  return (
    <Stack>
      <Password album={album} />
      <AlbumExpiry key={album.expires_at} album={album} />
      <Switch
        label={t('albums.allowDownload')}
        description={t('albums.allowDownloadHint')}
        checked={album.allow_download}
        onChange={(event) => change.mutate({ id: album.id, allow_download: event.currentTarget.checked })}
      />
      <Button
        variant="subtle"
        leftSection={<IconArrowsShuffle size={18} />}
        title={t('albums.randomHint')}
        onClick={() => void copy(`${album.share_url}/random`)}
      >
        {t('albums.copyRandom')}
      </Button>
    </Stack>
  );
}

/** When the album's link ends. A period is set at once, an exact time with a button. */
function AlbumExpiry({ album }: { album: Album }) {
  const { t } = useTranslation();
  const format = useFormat();
  const explain = useExplain();
  const change = useChangeAlbum();
  const [chosen, setChosen] = useState<string>();
  const now = isPast(album.expires_at) ? 'albums.expiredOn' : 'albums.expiresOn';
  const current = album.expires_at ? [{ value: 'now', label: t(now, { date: format.moment(album.expires_at) }) }] : [];
  const choices = [
    ...current,
    { value: '0', label: t('library.never') },
    ...EXPIRIES.map(({ seconds, label }) => ({ value: String(seconds), label: t('batch.expiresAfter', { time: t(label) }) })),
  ];
  const save = (asked: AskedExpiry) => change.mutate({ id: album.id, ...asked });
  const choose = (value: string) => {
    const isExact = localTimeIn(value) !== undefined;
    setChosen(isExact ? value : undefined);
    const asked = !isExact && value !== 'now' && askedExpiry(value);
    if (asked) save(asked);
  };
  const exact = chosen === undefined || expiryProblem(chosen, MAX_EXPIRES_IN) ? undefined : askedExpiry(chosen);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (exact) save(exact);
      }}
    >
      <Unsaved when={chosen !== undefined} />
      <ExpiryField
        label={t('albums.expires')}
        description={t(isPast(album.expires_at) ? 'albums.expiredHint' : 'albums.expiresHint')}
        value={chosen ?? (album.expires_at ? 'now' : '0')}
        choices={choices}
        onChange={choose}
      />
      {change.isError && <ErrorNotice explanation={explain(change.error)} />}
      {chosen !== undefined && (
        <Button type="submit" size="xs" variant="default" mt="xs" disabled={!exact} loading={change.isPending}>
          {t('expiry.set')}
        </Button>
      )}
    </form>
  );
}

function Password({ album }: { album: Album }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const change = useChangeAlbum();
  const [password, setPassword] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (password) change.mutate({ id: album.id, access_password: password }, { onSuccess: () => setPassword('') });
      }}
    >
      <Unsaved when={password !== ''} />
      <AccessPasswordField
        description={t(album.has_password ? 'albums.hasPassword' : 'albums.passwordHint')}
        value={password}
        error={change.isError && explain(change.error).what}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Group gap="xs" mt="xs">
        <Button type="submit" size="xs" variant="default" disabled={!password} loading={change.isPending}>
          {t(album.has_password ? 'library.changePassword' : 'library.setPassword')}
        </Button>
        {album.has_password && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => change.mutate({ id: album.id, access_password: null })}>
            {t('library.removePassword')}
          </Button>
        )}
      </Group>
    </form>
  );
}
