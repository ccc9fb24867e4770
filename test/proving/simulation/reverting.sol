// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity ^0.8.30;

/// Fails in every way that a call can fail.
contract Reverting {
    error Refused(address who, uint256 amount);
    error Wrapped(address target, bytes reason);
    event Done(address indexed who, uint256 amount);

    function fail() external pure {
        revert("plain text");
    }

    function failSilently() external pure {
        revert();
    }

    function failWithError(uint256 amount) external view {
        revert Refused(msg.sender, amount);
    }

    function failNested(uint256 amount) external view {
        try this.failWithError(amount) {} catch (bytes memory reason) {
            revert Wrapped(address(this), reason);
        }
    }

    function divide(uint256 by) external pure returns (uint256) {
        return 1 / by;
    }

    function burnAllGas() external view {
        for (uint256 count; gasleft() > 0; count++) {}
    }

    function log(uint256 count) external payable {
        for (uint256 index; index < count; index++) emit Done(msg.sender, index);
    }

    function logAndFail() external {
        emit Done(msg.sender, 1);
        revert("after a log");
    }

    /// Emits 10, then (reverted) 1, then 20 from an inner call, then 30.
    function logAround() external {
        emit Done(msg.sender, 10);
        try this.logAndFail() {} catch {}
        this.logOnce(20);
        emit Done(msg.sender, 30);
    }

    function logOnce(uint256 amount) external {
        emit Done(msg.sender, amount);
    }
}
