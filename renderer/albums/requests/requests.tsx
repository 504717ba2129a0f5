import { ActionIcon, Button, Group, Menu, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconDots,
  IconLock,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlus,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Album } from '#api/albums/albums.ts';
import type { RequestLink } from '#api/sharing/requests.ts';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import { useCopy } from '#renderer/components/copying/copy-context.ts';
import { LinkTools } from '#renderer/components/links/link-tools.tsx';
import { WhoCanOpen } from '#renderer/components/links/who-can-open.tsx';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { type RequestChanges, requestsQuery, useRequestChange } from './queries.ts';
import { ReceivedFiles } from './received.tsx';
import { RequestForm } from './request-form.tsx';
import classes from './requests.module.css';

/** What is open above the links; `request` is the link that it is about, without one for a new link. */
type View = { kind: 'form'; request?: RequestLink } | { kind: 'received'; request: RequestLink };

/** The request links of an album, as a part of the sheet that shares it. @param onCover told whether a dialog is above the sheet */
export function Requests({ album, onCover }: { album: Album; onCover: (isCovered: boolean) => void }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const [view, setShown] = useState<View>();
  const setView = (next: View | undefined) => {
    setShown(next);
    onCover(next !== undefined);
  };
  const [created, setCreated] = useState<string>();
  const close = () => setView(undefined);
  const save = ({ id, url }: RequestLink) => {
    if (view?.request) return close();
    setCreated(id);
    close();
    // Browsers may refuse so long after the click; the button beside the link is there for that.
    void copy(url, { quiet: true }).then((copied) => {
      if (copied) notifications.show({ color: 'petrol.7', title: t('requests.copied'), message: undefined, autoClose: 3000 });
    });
  };
  return (
    <>
      <RequestList album={album} created={created} onView={setView} />
      {view?.kind === 'form' && (
        <Modal opened onClose={close} title={t(view.request ? 'requests.changeTitle' : 'requests.create')} size="lg">
          <RequestForm album={album} request={view.request} onCancel={close} onSaved={save} />
        </Modal>
      )}
      {view?.kind === 'received' && (
        <Modal opened onClose={close} title={t('requests.receivedOne', { title: view.request.title })} size="lg">
          <ReceivedFiles request={view.request} onBack={close} />
        </Modal>
      )}
    </>
  );
}

interface ListProps {
  album: Album;
  created: string | undefined;
  onView: (view: View) => void;
}

function RequestList({ album, created, onView }: ListProps) {
  const { t } = useTranslation();
  const explain = useExplain();
  const { data: requests, error, refetch } = useQuery(requestsQuery(album.id));
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('requests.intro')}
      </Text>
      {error && <ErrorNotice explanation={explain(error)} onRetry={() => void refetch()} />}
      <ul className={classes.list}>
        {requests?.map((request) => (
          <RequestItem key={request.id} request={request} isNew={request.id === created} onView={onView} />
        ))}
      </ul>
      <Group>
        <Button variant="default" leftSection={<IconPlus size={18} />} onClick={() => onView({ kind: 'form' })}>
          {t('requests.create')}
        </Button>
      </Group>
    </Stack>
  );
}

function RequestItem({ request, isNew, onView }: { request: RequestLink; isNew: boolean; onView: (view: View) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const explain = useExplain();
  const [asking, setAsking] = useState<'end' | 'delete'>();
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isNew) item.current?.scrollIntoView({ block: 'center' });
  }, [isNew]);
  const params = { id: request.album_id, request: request.id };
  const change = useRequestChange((body: RequestChanges) => client.call('PATCH /albums/:id/requests/:request', { params, body }));
  const remove = useRequestChange(() => client.call('DELETE /albums/:id/requests/:request', { params }));
  const { title, state, url } = request;
  const failure = change.error ?? remove.error;
  const icon = { size: 16, stroke: 1.7 };
  const isPaused = state === 'paused';
  const count = t(request.file_count > request.max_files ? 'requests.countOver' : 'requests.count', {
    count: request.file_count > request.max_files ? request.file_count : request.max_files,
    formatted: format.number(request.file_count),
    max: format.number(request.max_files),
  });
  return (
    <li ref={item}>
      <div className={classes.head}>
        <h4 className={classes.title} title={title}>
          {title}
        </h4>
        {request.has_password && <IconLock size={16} stroke={1.7} role="img" aria-label={t('requests.protected')} />}
        <Menu position="bottom-end" width={220}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('requests.more', { title })}>
              <IconDots size={20} stroke={1.7} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconUsers {...icon} />} onClick={() => onView({ kind: 'received', request })}>
              {t('requests.received')}
            </Menu.Item>
            {request.own && (
              <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onView({ kind: 'form', request })}>
                {t('requests.change')}
              </Menu.Item>
            )}
            {state !== 'ended' && (
              <>
                {(request.own || !isPaused) && (
                  <Menu.Item
                    leftSection={isPaused ? <IconPlayerPlay {...icon} /> : <IconPlayerPause {...icon} />}
                    onClick={() => change.mutate({ paused: !isPaused })}
                  >
                    {t(isPaused ? 'requests.resume' : 'requests.pause')}
                  </Menu.Item>
                )}
                <Menu.Item leftSection={<IconPlayerStop {...icon} />} onClick={() => setAsking('end')}>
                  {t('requests.end')}
                </Menu.Item>
              </>
            )}
            <Menu.Item leftSection={<IconTrash {...icon} />} onClick={() => setAsking('delete')}>
              {t('requests.delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <Text size="sm" c="dimmed">
        <strong>{t(`requests.states.${state}`)}</strong> · {count} ·{' '}
        {t(state === 'ended' ? 'requests.endedOn' : 'requests.openUntil', { date: format.moment(request.expires_at) })}
      </Text>
      {failure && <ErrorNotice explanation={explain(failure)} />}
      <div className={classes.link}>
        <code title={url}>{url}</code>
        <CopyButton isLink text={url} label={t('requests.copyOne', { title })} wide={isNew} words={t('requests.copy')} />
      </div>
      {state !== 'ended' && <WhoCanOpen text={url} />}
      <LinkTools url={url} title={title} />
      {asking && (
        <Modal opened onClose={() => setAsking(undefined)} title={t(`requests.${asking}Title`, { title })} size="sm">
          <Text size="sm">{t(asking === 'end' && !request.own ? 'requests.endOthersText' : `requests.${asking}Text`)}</Text>
          <Group justify="flex-end" mt="md">
            <Button variant="default" onClick={() => setAsking(undefined)} data-autofocus>
              {t('common.cancel')}
            </Button>
            <Button
              color="red.8"
              onClick={() => {
                if (asking === 'end') change.mutate({ expires_in: 0 });
                else remove.mutate(undefined);
                setAsking(undefined);
              }}
            >
              {t(`requests.${asking}`)}
            </Button>
          </Group>
        </Modal>
      )}
    </li>
  );
}
