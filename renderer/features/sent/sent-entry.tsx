import { ActionIcon, Badge, Button, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { IconAlbum, IconArrowBackUp, IconCheck, IconClock, IconLink, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Sent, SentImage } from '#api/sent.ts';
import { styledLinks } from '#api/sharing/link-formats.ts';
import { Avatar } from '#renderer/components/avatar.tsx';
import { useCopy } from '#renderer/components/copying/copy-context.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { SentPictures } from '#renderer/images/sent/sent-pictures.tsx';
import { useLinkStyle } from '#renderer/service/account.ts';
import { client } from '#renderer/service/client.ts';
import { type Box, removeSent } from '#renderer/service/sent.ts';
import classes from './sent.module.css';

interface Props {
  entry: Sent;
  box: Box;
  onOpen: (image: SentImage) => void;
  onAdd: (keys: string[]) => void;
}

/** Names of recipients that a line has room for. */
const MAX_NAMES = 3;

/** What was sent at once: by whom or to whom, with its message and pictures. */
export function SentEntry({ entry, box, onOpen, onAdd }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { isNew, ref } = useSeen(entry, box);
  const { sender, recipients = [], message, created_at, image_count, items } = entry;
  const usernames = recipients.map(({ username }) => username);
  const names = usernames.length > MAX_NAMES ? t('sentPictures.peopleCount', { count: usernames.length }) : format.list(usernames);
  const missing = image_count - items.length;
  const heading =
    box === 'in'
      ? sender.username
      : usernames.length > MAX_NAMES
        ? t('sentPictures.forMany', { count: usernames.length })
        : t('sentPictures.for', { names });
  return (
    <li ref={ref} className={classes.entry}>
      <header className={classes.top}>
        {box === 'in' && <Avatar user={sender} size={36} />}
        <div className={classes.about}>
          <h2>
            {heading}
            {isNew && <Badge variant="light">{t('sentPictures.isNew')}</Badge>}
          </h2>
          <Text size="sm" c="dimmed" component="time" dateTime={created_at}>
            {format.moment(created_at)}
          </Text>
        </div>
        <Actions entry={entry} box={box} names={names} onAdd={onAdd} />
      </header>
      {message && (
        <p className={classes.message} dir="auto">
          {message}
        </p>
      )}
      {items.length > 0 && (
        <SentPictures
          images={items}
          label={box === 'in' ? t('sentPictures.pictures', { name: sender.username }) : t('sentPictures.ownPictures', { names })}
          onOpen={onOpen}
        />
      )}
      {missing > 0 && (
        <Text size="sm" c="dimmed">
          {t(box === 'in' ? 'sentPictures.notShown' : 'sentPictures.gone', { count: missing, formatted: format.number(missing) })}
        </Text>
      )}
      {box === 'out' && <Recipients recipients={recipients} />}
    </li>
  );
}

/** Notes what the user looks at as seen. It stays marked as new until they leave the page. */
function useSeen({ id, seen_at }: Sent, box: Box) {
  const queryClient = useQueryClient();
  const [isNew] = useState(box === 'in' && seen_at === null);
  const { ref, entry } = useIntersection({ threshold: 0.2 });
  const isShown = entry?.isIntersecting === true;
  const isUnseen = isNew && seen_at === null;
  useEffect(() => {
    if (!isShown || !isUnseen) return;
    // If it can't be noted, the next visit tries again.
    const note = () =>
      client.call('POST /sent/:id/seen', { params: { id } }).then(() => queryClient.invalidateQueries({ queryKey: ['sent'] }));
    const timer = setTimeout(() => void note().catch(() => undefined), LOOK_MS);
    return () => clearTimeout(timer);
  }, [id, isShown, isUnseen, queryClient]);
  return { isNew, ref };
}

/** Scrolling past isn't seeing. */
const LOOK_MS = 500;

function Actions({ entry: { id, sender, items }, box, names, onAdd }: Pick<Props, 'entry' | 'box' | 'onAdd'> & { names: string }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const style = useLinkStyle();
  const queryClient = useQueryClient();
  const notifyError = useNotifyError();
  const [copied, setCopied] = useState(false);
  const remove = useMutation({
    mutationFn: () => removeSent(queryClient, id),
    onSuccess: () =>
      notifications.show({
        color: 'petrol.7',
        title: t(box === 'in' ? 'sentPictures.removed' : 'sentPictures.takenBack'),
        message: undefined,
        autoClose: 3000,
      }),
    onError: (error) => notifyError(error),
  });
  const copyLinks = async () => {
    if (await copy(styledLinks(items, style))) setCopied(true);
  };
  const ask = () =>
    modals.openConfirmModal({
      title: t(box === 'in' ? 'sentPictures.removeTitle' : 'sentPictures.takeBackTitle'),
      children: (
        <Text size="sm">{box === 'in' ? t('sentPictures.removeText', { name: sender.username }) : t('sentPictures.takeBackText')}</Text>
      ),
      labels: { confirm: t(box === 'in' ? 'sentPictures.remove' : 'sentPictures.takeBack'), cancel: t('common.cancel') },
      confirmProps: { color: 'red.8' },
      onConfirm: () => remove.mutate(),
    });
  return (
    <div className={classes.actions}>
      {items.length > 0 && (
        <Button
          variant="default"
          size="xs"
          leftSection={copied ? <IconCheck size={16} /> : <IconLink size={16} />}
          onClick={() => void copyLinks()}
        >
          {copied ? t('links.copied') : t('sentPictures.copyLinks')}
        </Button>
      )}
      {box === 'in' && items.length > 0 && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconAlbum size={16} />}
          aria-label={t('sentPictures.addOne', { name: sender.username })}
          onClick={() => onAdd(items.map(({ key }) => key))}
        >
          {t('library.addTo')}
        </Button>
      )}
      {box === 'in' ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('sentPictures.removeOne', { name: sender.username })}
          title={t('sentPictures.remove')}
          loading={remove.isPending}
          onClick={ask}
        >
          <IconX size={18} />
        </ActionIcon>
      ) : (
        <Button
          variant="default"
          size="xs"
          aria-label={t('sentPictures.takeBackOne', { names })}
          leftSection={<IconArrowBackUp size={16} />}
          loading={remove.isPending}
          onClick={ask}
        >
          {t('sentPictures.takeBack')}
        </Button>
      )}
    </div>
  );
}

function Recipients({ recipients }: { recipients: NonNullable<Sent['recipients']> }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <ul className={classes.recipients} aria-label={t('sentPictures.who')}>
      {recipients.map((user) => (
        <li key={user.id}>
          <Avatar user={user} size={22} />
          <span className={classes.name}>{user.username}</span>
          {user.seen_at === null ? <IconClock size={16} aria-hidden /> : <IconCheck size={16} aria-hidden className={classes.seen} />}
          <Text size="sm" c="dimmed">
            {user.seen_at === null ? t('sentPictures.notSeen') : t('sentPictures.seenAt', { time: format.moment(user.seen_at) })}
          </Text>
        </li>
      ))}
    </ul>
  );
}
