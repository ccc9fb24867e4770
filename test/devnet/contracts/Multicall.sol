// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

/// The one function of Multicall3 that the relayer uses, with the same ABI and the same behaviour: the native value
/// of a call that fails and may fail stays here.
contract Multicall {
    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    /// Makes the calls in order. Reverts when one fails that may not, or when the values do not add up to msg.value.
    function aggregate3Value(Call3Value[] calldata calls) external payable returns (Result[] memory returnData) {
        uint256 total;
        returnData = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            Call3Value calldata call = calls[i];
            total += call.value;
            (bool success, bytes memory data) = call.target.call{value: call.value}(call.callData);
            require(success || call.allowFailure, "Multicall3: call failed");
            returnData[i] = Result(success, data);
        }
        require(msg.value == total, "Multicall3: value mismatch");
    }
}
