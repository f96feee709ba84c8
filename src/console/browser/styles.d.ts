// Styles are files of their own in the bundle.

declare module '*.css'
