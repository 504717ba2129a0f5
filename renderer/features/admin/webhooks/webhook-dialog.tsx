import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RouteData, RouteInput } from '#api/contract.ts';
import { changeWebhook, createWebhook, type Webhook, type WebhookEventType, webhookEventType } from '#api/webhooks.ts';
import { client } from '../../../service/client.ts';
import { fieldError } from '../field-error.ts';
import { FormDialog } from '../form-dialog.tsx';
import { useChange } from '../use-change.ts';
import { EVENT_LABELS } from './events.ts';

type Body = RouteInput<typeof createWebhook>['body'];

interface Props {
  webhook: Webhook | undefined;
  onClose: () => void;
  onSecret: (secret: string) => void;
}

export function WebhookDialog({ webhook, onClose, onSecret }: Props) {
  const { t } = useTranslation('admin');
  const [draft, setDraft] = useState<Body>({
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    events: webhook?.events ?? ['image.created'],
  });
  const edit = (part: Partial<Body>) => setDraft((before) => ({ ...before, ...part }));
  const change = useChange<Body, Webhook | RouteData<typeof createWebhook>>(
    (body) => (webhook ? client.call(changeWebhook, { params: { id: webhook.id }, body }) : client.call(createWebhook, { body })),
    {
      stale: ['webhooks', 'audit'],
      done: () => t('saved'),
      after: (saved) => {
        onClose();
        if ('secret' in saved) onSecret(saved.secret);
      },
      quiet: true,
    },
  );
  return (
    <FormDialog
      title={webhook ? t('webhooks.editTitle', { name: webhook.name }) : t('webhooks.create')}
      submit={webhook ? t('save') : t('webhooks.create')}
      change={change}
      onClose={onClose}
      onSubmit={() => change.mutate(draft)}
    >
      <TextInput
        label={t('name')}
        data-autofocus
        maxLength={100}
        value={draft.name}
        error={fieldError(change.error, 'name')}
        onChange={(event) => edit({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t('webhooks.url')}
        description={t('webhooks.urlHint')}
        placeholder="https://example.org/hooks/pixdock"
        inputMode="url"
        spellCheck={false}
        value={draft.url}
        error={fieldError(change.error, 'url')}
        onChange={(event) => edit({ url: event.currentTarget.value })}
      />
      <Checkbox.Group
        label={t('webhooks.tellOf')}
        value={draft.events}
        error={fieldError(change.error, 'events')}
        onChange={(events) => edit({ events: events as WebhookEventType[] })}
      >
        <Stack gap="xs" mt="xs">
          {webhookEventType.options.map((event) => (
            <Checkbox key={event} value={event} label={t(EVENT_LABELS[event])} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
