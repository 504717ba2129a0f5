import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { editor as en } from '#texts/en/editor.ts';
import { editor as zh } from '#texts/zh/editor.ts';

/** Brings the editor's texts, which nothing else has to load. */
export function useEditorTexts() {
  const { i18n } = useTranslation('editor');
  useState(() => i18n.addResourceBundle('en', 'editor', en).addResourceBundle('zh', 'editor', zh));
}
