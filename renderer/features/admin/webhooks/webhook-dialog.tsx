import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { WEBHOOK_EVENTS } from '#api/constants.ts';
import type { RouteData, RouteInput } from '#api/contract.ts';
import type { createWebhook, Webhook, WebhookEventType } from '#api/webhooks.ts';
import { client } from '#renderer/service/client.ts';
import { useFieldError } from '#renderer/service/field-error.ts';
import { NamedDialog, useDraft } from '../named-dialog.tsx';
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
  const [draft, edit] = useDraft<Body>(() => ({
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    events: webhook?.events ?? ['image.created'],
  }));
  const change = useChange<Body, Webhook | RouteData<typeof createWebhook>>(
    (body) =>
      webhook
        ? client.call('PATCH /admin/webhooks/:id', { params: { id: webhook.id }, body })
        : client.call('POST /admin/webhooks', { body }),
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
  const fault = useFieldError(change.error);
  return (
    <NamedDialog named={webhook} kind="webhooks" draft={draft} edit={edit} change={change} fields={['url', 'events']} onClose={onClose}>
      <TextInput
        label={t('webhooks.url')}
        description={t('webhooks.urlHint')}
        placeholder="https://example.org/hooks/pixdock"
        inputMode="url"
        spellCheck={false}
        value={draft.url}
        error={fault('url')}
        onChange={(event) => edit({ url: event.currentTarget.value })}
      />
      <Checkbox.Group
        label={t('webhooks.tellOf')}
        value={draft.events}
        error={fault('events')}
        onChange={(events) => edit({ events: events as WebhookEventType[] })}
      >
        <Stack gap="xs" mt="xs">
          {WEBHOOK_EVENTS.map((event) => (
            <Checkbox key={event} value={event} label={t(EVENT_LABELS[event])} />
          ))}
        </Stack>
      </Checkbox.Group>
    </NamedDialog>
  );
}
