import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { en } from '#renderer/i18n/en-editor.ts';
import { zh } from '#renderer/i18n/zh-editor.ts';

/** Brings the editor's texts, which nothing else has to load. */
export function useEditorTexts() {
  const { i18n } = useTranslation('editor');
  useState(() => i18n.addResourceBundle('en', 'editor', en).addResourceBundle('zh', 'editor', zh));
}
