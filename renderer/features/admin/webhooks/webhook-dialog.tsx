import { Checkbox, Stack, TextInput } from '@mantine/core';
import { WEBHOOK_EVENTS } from '#api/constants.ts';
import type { RouteData, RouteInput } from '#api/contract.ts';
import type { createWebhook, Webhook, WebhookEventType } from '#api/webhooks.ts';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useChange } from '../use-change.ts';

type Body = RouteInput<typeof createWebhook>['body'];

export const EVENT_LABELS = {
  'image.created': 'webhooks.events.image_created',
  'image.deleted': 'webhooks.events.image_deleted',
  'image.replaced': 'webhooks.events.image_replaced',
  'image.expired': 'webhooks.events.image_expired',
  'album.updated': 'webhooks.events.album_updated',
  'user.deleted': 'webhooks.events.user_deleted',
  'request.received': 'webhooks.events.request_received',
  'sent.created': 'webhooks.events.sent_created',
  'sent.removed': 'webhooks.events.sent_removed',
} as const satisfies Record<WebhookEventType, string>;

interface Props {
  webhook: Webhook | undefined;
  onClose: () => void;
  onSecret: (secret: string) => void;
}

export function WebhookDialog({ webhook, onClose, onSecret }: Props) {
  const { t } = useTranslation('admin');
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
  const { draft, changed, edit, fault, text } = useDraft<Body>(
    {
      name: webhook?.name ?? '',
      url: webhook?.url ?? '',
      events: webhook?.events ?? ['image.created'],
    },
    change.error,
  );
  return (
    <FormDialog
      title={webhook ? t('webhooks.editTitle', { name: webhook.name }) : t('webhooks.create')}
      submit={t(webhook ? 'save' : 'webhooks.create')}
      change={change}
      changed={changed}
      onClose={onClose}
      onSubmit={() => change.mutate(draft)}
    >
      <TextInput label={t('name')} data-autofocus maxLength={100} {...text('name')} />
      <TextInput
        label={t('webhooks.url')}
        description={t('webhooks.urlHint')}
        placeholder="https://example.org/hooks/pixdock"
        inputMode="url"
        spellCheck={false}
        {...text('url')}
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
    </FormDialog>
  );
}
