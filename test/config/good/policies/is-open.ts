// A policy that lets everybody pass.
export default (): boolean => true
