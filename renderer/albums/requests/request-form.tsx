import { Button, Checkbox, Group, NumberInput, Radio, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Album } from '#api/albums/albums.ts';
import { MAX_REQUEST_BYTES, MAX_REQUEST_FILES, REQUEST_DEFAULTS } from '#api/constants.ts';
import type { RequestLink } from '#api/sharing/requests.ts';
import { EXPIRIES } from '#renderer/components/forms/expiries.ts';
import { AccessPasswordField } from '#renderer/components/forms/sharing-fields.tsx';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { useRequestChange } from './queries.ts';

const GB = 1024 ** 3;
const SHOWN = ['none', 'own', 'all'] as const;
const SHOW = { none: 'requests.showNone', own: 'requests.showOwn', all: 'requests.showAll' } as const;
const UNCHANGED = 'unchanged';

interface Props {
  album: Album;
  /** The link to change; without it, the form creates one. */
  request?: RequestLink | undefined;
  onCancel: () => void;
  onSaved: (request: RequestLink) => void;
}

/** What a request link asks for, and how much it takes. */
export function RequestForm({ album, request, onCancel, onSaved }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const explain = useExplain();
  const [title, setTitle] = useState(request?.title ?? album.name);
  const [message, setMessage] = useState(request?.message ?? '');
  const [expires, setExpires] = useState(request ? UNCHANGED : String(REQUEST_DEFAULTS.expires_in));
  const [files, setFiles] = useState<number | string>(request?.max_files ?? REQUEST_DEFAULTS.max_files);
  const [gigabytes, setGigabytes] = useState<number | string>((request?.max_bytes ?? REQUEST_DEFAULTS.max_bytes) / GB);
  const [password, setPassword] = useState('');
  const [withoutPassword, setWithoutPassword] = useState(false);
  const [show, setShow] = useState<RequestLink['show']>(request?.show ?? 'none');
  const [untitled, setUntitled] = useState(false);
  const save = useRequestChange(() => {
    const access_password = password || (withoutPassword ? null : undefined);
    const expires_in = expires === UNCHANGED ? undefined : Number(expires);
    const max_bytes = Math.max(1, Math.min(MAX_REQUEST_BYTES, Math.round(Number(gigabytes) * GB)));
    const body = { title, message, expires_in, max_files: Number(files), max_bytes, access_password, show };
    return request
      ? client.call('PATCH /albums/:id/requests/:request', { params: { id: album.id, request: request.id }, body })
      : client.call('POST /albums/:id/requests', { params: { id: album.id }, body });
  });
  const ending = request && {
    value: UNCHANGED,
    label: t(request.state === 'ended' ? 'requests.endedOn' : 'requests.expiresOn', { date: format.moment(request.expires_at) }),
  };
  const submit = () => {
    setUntitled(!title.trim());
    if (title.trim()) save.mutate(undefined, { onSuccess: onSaved });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        {save.error && <ErrorNotice explanation={explain(save.error)} />}
        <TextInput
          label={t('requests.name')}
          description={t('requests.nameHint')}
          value={title}
          maxLength={200}
          required
          error={untitled && !title.trim() && t('requests.nameMissing')}
          onChange={(event) => setTitle(event.currentTarget.value)}
          data-autofocus
        />
        <Textarea
          label={t('requests.message')}
          description={t('requests.messageHint')}
          value={message}
          maxLength={2000}
          autosize
          minRows={2}
          maxRows={6}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <Select
          label={t('requests.expires')}
          value={expires}
          allowDeselect={false}
          data={[
            ...(ending ? [ending] : []),
            ...EXPIRIES.map(({ seconds, label }) => ({
              value: String(seconds),
              label: t('requests.expiresAfter', { time: t(label) }),
            })),
          ]}
          onChange={(value) => value !== null && setExpires(value)}
        />
        <Group grow align="flex-end">
          <NumberInput
            label={t('requests.maxFiles')}
            min={1}
            max={MAX_REQUEST_FILES}
            allowDecimal={false}
            clampBehavior="strict"
            value={files}
            onChange={setFiles}
          />
          <NumberInput
            label={t('requests.maxGigabytes')}
            min={0.001}
            max={MAX_REQUEST_BYTES / GB}
            decimalScale={3}
            value={gigabytes}
            onChange={setGigabytes}
          />
        </Group>
        <Radio.Group
          label={t('requests.show')}
          description={t('requests.showHint')}
          value={show}
          onChange={(value) => setShow(value as RequestLink['show'])}
        >
          <Stack gap="xs" mt="xs">
            {SHOWN.map((value) => (
              <Radio key={value} value={value} label={t(SHOW[value])} />
            ))}
          </Stack>
        </Radio.Group>
        <AccessPasswordField
          description={t(request?.has_password ? 'requests.passwordSet' : 'requests.passwordHint')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {request?.has_password && password === '' && (
          <Checkbox
            label={t('requests.removePassword')}
            checked={withoutPassword}
            onChange={(event) => setWithoutPassword(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t(request ? 'requests.save' : 'requests.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
